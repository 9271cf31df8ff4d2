import type { Driver } from '../shared/driver.ts'
import type { Settings } from './engine.ts'
import { ClickhouseSession } from './session.ts'

/** Each query is a separate request: connection problems appear at the first one. */
export const clickhouseDriver: Driver = {
  open: async (settings, context) => new ClickhouseSession(settings as Settings, context),
}
