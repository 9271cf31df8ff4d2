import { existsSync } from 'node:fs'
import type { Tool } from './tool.ts'

const sans = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'

/** Chromium on Debian draws monospaced text with these. Other systems bring fonts of their own. */
export const fonts: Tool = {
  title: 'fonts',
  packages: ['fonts-dejavu-core'],
  find: () => (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get') || existsSync(sans) ? sans : undefined),
}
