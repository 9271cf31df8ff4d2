import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where large helpers of tests are kept between runs. */
export const cache = (name: string): string => join(homedir(), '.cache', 'parquetry', name)
