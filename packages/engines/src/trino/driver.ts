import type { Driver } from '../shared/driver.ts'
import type { Settings } from './engine.ts'
import { TrinoSession } from './session.ts'

/** The protocol has no connections: what is wrong with one is seen at the first question. */
export const trinoDriver: Driver = {
  open: async (settings, context) => new TrinoSession(settings as Settings, context),
}
