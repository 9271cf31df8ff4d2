import { once } from '../once.ts'

const supported = once((): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')])

/** Time zones by their IANA names. @param also  a stored name that this browser does not list, such as an alias */
export const listTimeZones = (also: string): string[] =>
  supported().includes(also) ? supported() : [also, ...supported()]
