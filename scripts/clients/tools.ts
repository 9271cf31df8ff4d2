import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachePath } from '../services/cache.ts'
import { pythonTool } from '../services/python.ts'
import type { Tool } from '../services/tool.ts'

const inPython = (name: string, program: string): Tool => {
  const variable = `PARQUETRY_TEST_${name.replaceAll(/[^a-z\d]+/gi, '_').toUpperCase()}`
  const requirements = join(import.meta.dirname, 'requirements', `${name}.txt`)
  return pythonTool({ title: name.replace(/-(?=[\d.]+$)/, ' '), variable }, requirements, `bin/${program}`)
}

export const presetCliTool = inPython('preset-cli-0.3.13', 'superset-cli')
export const olderPresetCliTool = inPython('preset-cli-0.2.21', 'superset-cli')
export const supersetApiClientTool = inPython('superset-api-client-0.6.0', 'python')
export const dbtSupersetLineageTool = inPython('dbt-superset-lineage-0.4.0', 'dbt-superset-lineage')
/** Its requirements pin the newest version of the MCP library that it works with. */
export const supersetMcpTool = inPython('superset-mcp-0.6.0', 'superset-mcp')
export const datahubTool = inPython('acryl-datahub-1.7.0.17', 'python')

const supersetUiCoreFolder = cachePath('superset-ui-core-1.5.0')

export const supersetUiCoreTool: Tool = {
  title: '@superset-ui/core 1.5.0',
  packages: [],
  install() {
    mkdirSync(supersetUiCoreFolder, { recursive: true })
    const args = ['install', '--prefix', supersetUiCoreFolder, '--no-audit', '--no-fund', '--ignore-scripts']
    const { status } = spawnSync('npm', [...args, '@superset-ui/core@1.5.0'], { stdio: ['ignore', 2, 2] })
    if (status === 0) writeFileSync(join(supersetUiCoreFolder, '.complete'), '')
    else rmSync(supersetUiCoreFolder, { recursive: true, force: true })
  },
  find: () => (existsSync(join(supersetUiCoreFolder, '.complete')) ? supersetUiCoreFolder : undefined),
}

export const schemathesisTool = inPython('schemathesis-4.32.5', 'schemathesis')
