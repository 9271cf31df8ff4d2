import { homedir } from 'node:os'
import { join } from 'node:path'

/** Path in the folder where large test dependencies are cached between runs. */
export const cachePath = (name: string): string => join(homedir(), '.cache', 'parquetry', name)
