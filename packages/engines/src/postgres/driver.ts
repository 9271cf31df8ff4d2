import type { Driver } from '../shared/driver.ts'
import { acquirePostgresClient } from './client.ts'
import type { Settings } from './engine.ts'
import { PostgresSession } from './session.ts'

export const postgresDriver: Driver = {
  async open(settings, context) {
    const known = settings as Settings
    return new PostgresSession(await acquirePostgresClient(known, context), known, context)
  },
}
