import { ansi } from '@parquetry/query'
import Type, { type Static } from 'typebox'
import type { Engine } from '../engine.ts'
import { joinAddress, splitAddress } from './address.ts'
import { productTitles } from './titles.ts'

const Settings = Type.Object({
  /** The address as it was imported, with masks in place of secrets. */
  address: Type.String({ title: 'Connection string', minLength: 1 }),
  password: Type.Optional(Type.String({ title: 'Password', secret: true })),
  driver: Type.Optional(Type.String()),
})
type Settings = Static<typeof Settings>

/**
 * A product that no driver here can connect to. Its connections are imported and shown, so that datasets and charts on them stay,
 * and they are never opened.
 * @param name  the `backend` of the API
 */
export const unsupportedEngine = (name: string): Engine => ({
  name,
  title: Object.hasOwn(productTitles, name) ? (productTitles[name] ?? name) : name,
  kind: 'network',
  isUnsupported: true,
  dialect: ansi,
  defaultSchema: '',
  supports: { catalogs: false, estimate: false, createAs: false, impersonate: false },
  settings: Settings,
  schemes: [],
  drivers: [],
  uriExample: '',
  fromUri(uri) {
    const { masked, password } = splitAddress(uri)
    const driver = /^[^:]*\+([^:]+):/.exec(masked)?.[1]
    return {
      address: masked,
      ...(password !== undefined && { password }),
      ...(driver !== undefined && { driver }),
    } satisfies Settings
  },
  toUri(settings, masked) {
    const { address, password } = settings as Settings
    return masked ? address : joinAddress(address, password)
  },
})
