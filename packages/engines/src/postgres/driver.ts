import type { Driver } from '../shared/driver.ts'
import { take } from './client.ts'
import type { Settings } from './engine.ts'
import { PostgresSession } from './session.ts'

export const postgresDriver: Driver = {
  async open(settings, context) {
    const known = settings as Settings
    return new PostgresSession(await take(known, context), known, context)
  },
}
