import type { Driver } from '../shared/driver.ts'
import type { Settings } from './engine.ts'
import { ClickhouseSession } from './session.ts'

/** A question is a request: what is wrong with a connection is seen at the first one. */
export const clickhouseDriver: Driver = {
  open: async (settings, context) => new ClickhouseSession(settings as Settings, context),
}
