import { existsSync } from 'node:fs'
import type { Tool } from './tool.ts'

const sans = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'

/** Chromium on Debian uses these fonts for monospaced text. Other systems have their own. */
export const fonts: Tool = {
  title: 'DejaVu Sans',
  packages: ['fonts-dejavu-core'],
  find: () => (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get') || existsSync(sans) ? sans : undefined),
}
