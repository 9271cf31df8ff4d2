/** Browser and operating system, or the name of a program, as read from a `User-Agent` header. */
export interface Device {
  program: string
  system?: string
}

/** The first match counts: browsers also name those that they descend from. */
const browsers: readonly [name: string, form: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]

const systems: readonly [name: string, form: RegExp][] = [
  ['Windows', /\bWindows\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac ?OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

const find = (list: readonly [name: string, form: RegExp][], text: string): string | undefined =>
  list.find(([, form]) => form.test(text))?.[0]

/** Null when the header says nothing. */
export function describeDevice(userAgent: string | null): Device | null {
  if (userAgent === null || userAgent.trim() === '') return null
  const browser = userAgent.startsWith('Mozilla/') ? find(browsers, userAgent) : undefined
  const system = find(systems, userAgent)
  if (browser !== undefined) return { program: browser, ...(system !== undefined && { system }) }
  const program = /^[^\s/(]+/.exec(userAgent)?.[0]
  return program === undefined ? null : { program }
}
