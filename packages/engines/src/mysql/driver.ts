import type { Driver } from '../shared/driver.ts'
import { acquireMysqlClient } from './client.ts'
import type { Settings } from './engine.ts'
import { MysqlSession } from './session.ts'

export const mysqlDriver: Driver = {
  async open(settings, context) {
    const known = settings as Settings
    return new MysqlSession(await acquireMysqlClient(known, context), known, context)
  },
}
