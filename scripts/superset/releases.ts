import { join } from 'node:path'
import { pythonTool } from '../services/python.ts'
import type { Tool } from '../services/tool.ts'

/** Releases of Superset whose bundles are fixtures, the newest first. */
export const releases = ['6.1.0', '5.0.0', '4.1.4', '3.1.3'] as const
export type Release = (typeof releases)[number]

/** Release that our bundles are imported into. */
export const [currentRelease] = releases

/** Superset from PyPI in a virtual environment. Needs Python 3.11 as `python3`. */
export const supersetTool = (release: Release): Tool =>
  pythonTool(
    { title: `Superset ${release}`, variable: `PARQUETRY_SUPERSET_${release.replaceAll('.', '_')}` },
    join(import.meta.dirname, 'requirements', `${release}.txt`),
    'bin/superset',
  )
