import type { Driver } from '../shared/driver.ts'
import type { Settings } from './engine.ts'
import { TrinoSession } from './session.ts'

/** The protocol has no connections: connection problems appear at the first query. */
export const trinoDriver: Driver = {
  open: async (settings, context) => new TrinoSession(settings as Settings, context),
}
