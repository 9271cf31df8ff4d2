import { install } from './install.ts'
import type { Tool } from './tool.ts'

/** True if the tool is installed, or an environment variable names another installation. */
export const isAvailable = ({ variable, find }: Tool): boolean =>
  Boolean(variable && process.env[variable]) || find() !== undefined

/** Installs missing tools. The packages of all tools are installed with one call of apt. */
export function installMissing(tools: readonly Tool[]): void {
  const missing = tools.filter((tool) => !isAvailable(tool))
  const packages = missing.flatMap((tool) => tool.packages)
  if (packages.length > 0) install([...new Set(packages)])
  for (const tool of missing) {
    if (isAvailable(tool) || !tool.install) continue
    process.stderr.write(`Installing ${tool.title}...\n`)
    tool.install()
  }
}
