import type { HelperCall } from './run-template.ts'
import { formatTime } from './times.ts'
import { isEmpty, memoize, lookUp, toTemplateText } from './values.ts'

type Helper = (values: readonly unknown[], call: Pick<HelperCall, 'hash' | 'locale'>) => unknown
type BlockHelper = (values: readonly unknown[], call: HelperCall) => string

/** Block helpers: Handlebars' own, and `group`. */
export const blockHelpers: Readonly<Record<string, BlockHelper>> = {
  if: ([value], call) =>
    (value === 0 && call.hash['includeZero']) || !isEmpty(value || undefined)
      ? call.inside(call.context)
      : call.otherwise(),
  unless: ([value], call) =>
    (value === 0 && call.hash['includeZero']) || !isEmpty(value || undefined)
      ? call.otherwise()
      : call.inside(call.context),
  with: ([value], call) => (isEmpty(value) ? call.otherwise() : call.inside(value, {}, [value])),
  each: ([list], call) => {
    if (typeof list !== 'object' || list === null) return call.otherwise()
    const entries = Array.isArray(list) ? list.map((value, index) => [index, value] as const) : Object.entries(list)
    if (entries.length === 0) return call.otherwise()
    return entries
      .map(([key, value], index) => {
        const data = { key, index, first: index === 0, last: index === entries.length - 1 }
        return call.inside(value, data, [value, key])
      })
      .join('')
  },
  /** @see https://github.com/shannonmoeller/handlebars-group-by */
  group: ([list], call) => {
    const by = call.hash['by']
    if (!Array.isArray(list) || list.length === 0 || typeof by !== 'string') return call.otherwise()
    const groups = new Map<unknown, unknown[]>()
    for (const item of list) {
      const value = by.split('.').reduce<unknown>(lookUp, item)
      const items = groups.get(value)
      if (items) items.push(item)
      else groups.set(value, [item])
    }
    return [...groups].map(([value, items]) => call.inside({ value, items })).join('')
  },
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const onText =
  (change: (text: string) => string): Helper =>
  ([value]) =>
    typeof value === 'string' ? change(value) : value
const onNumbers =
  (count: (one: number, other: number) => number): Helper =>
  ([one, other]) =>
    count(Number(one), Number(other))
const isSame = (one: unknown, other: unknown): boolean => toTemplateText(one) === toTemplateText(other)
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Compares numbers, or texts as JavaScript does. */
const compare =
  (holds: (one: number, other: number) => boolean): Helper =>
  ([one, other]) => {
    if (typeof one === 'string' && typeof other === 'string') return holds(one < other ? -1 : one > other ? 1 : 0, 0)
    return holds(Number(one), Number(other))
  }

/** Currency formats by currency code and language, separated by a space. */
const currencies = memoize((name) => {
  const [currency = '', ...locale] = name.split(' ')
  return new Intl.NumberFormat(locale.join(' '), { style: 'currency', currency })
})

/**
 * Helpers that return a value: the original ones of this chart, and those of `just-handlebars-helpers` except `sprintf` and
 * `options`.
 */
export const helpers: Readonly<Record<string, Helper>> = {
  lookup: ([from, name]) => lookUp(from, name),
  log: () => '',

  dateFormat: ([value], { hash, locale }) => formatTime(value, toTemplateText(hash['format']) || 'YYYY-MM-DD', locale),
  formatNumber: ([value, locale]) =>
    typeof value === 'number' ? value.toLocaleString(toTemplateText(locale) || 'en-US') : value,
  parseJson: ([text]) => JSON.parse(toTemplateText(text)) as unknown,
  stringify: ([value]) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)),

  eq: ([one, other]) => one === other,
  eqw: ([one, other]) => isSame(one, other),
  neq: ([one, other]) => one !== other,
  neqw: ([one, other]) => !isSame(one, other),
  lt: compare((one, other) => one < other),
  lte: compare((one, other) => one <= other),
  gt: compare((one, other) => one > other),
  gte: compare((one, other) => one >= other),
  not: ([value]) => !value,
  ifx: ([condition, yes, no]) => (condition ? yes : (no ?? '')),
  and: (values) => values.every(Boolean),
  or: (values) => values.some(Boolean),
  coalesce: (values) => values.find(Boolean) ?? values.at(-1),
  empty: ([value]) => list(value).length === 0,
  count: ([value]) => (Array.isArray(value) ? value.length : false),
  includes: ([values, wanted, strict = true]) =>
    list(values).some((each) => (strict ? each === wanted : isSame(each, wanted))),

  sum: onNumbers((one, other) => one + other),
  difference: onNumbers((one, other) => one - other),
  multiplication: onNumbers((one, other) => one * other),
  division: onNumbers((one, other) => one / other),
  remainder: onNumbers((one, other) => one % other),
  ceil: onNumbers(Math.ceil),
  floor: onNumbers(Math.floor),
  abs: onNumbers(Math.abs),

  excerpt: ([text, length]) => {
    const most = Math.trunc(Number(length)) || 50
    return typeof text === 'string' && text.length > most ? `${text.slice(0, most)}...` : text
  },
  sanitize: onText((text) =>
    text
      .replace(/[^\w\s]/g, '')
      .trim()
      .replace(/\s+/g, '-')
      .toLowerCase(),
  ),
  newLineToBr: onText((text) => text.replace(/\r?\n|\r/g, '<br>')),
  capitalizeFirst: onText(capital),
  capitalizeEach: onText((text) => text.toLowerCase().replace(/\w\S*/g, capital)),
  lowercase: onText((text) => text.toLowerCase()),
  uppercase: onText((text) => text.toUpperCase()),
  first: ([values]) => list(values)[0] ?? '',
  last: ([values]) => list(values).at(-1) ?? '',
  concat: (values) => values.map(toTemplateText).join(''),
  join: ([values, between]) =>
    Array.isArray(values) ? values.map(toTemplateText).join(toTemplateText(between)) : false,

  formatDate: ([format, value, language], { locale }) =>
    formatTime(value, toTemplateText(format), toTemplateText(language) || locale),
  formatCurrency: ([value], { hash, locale }) => {
    if (toTemplateText(value).trim() === '' || Number.isNaN(Number(value))) return ''
    const currency = toTemplateText(hash['currency'] ?? hash['code']) || 'USD'
    return currencies(`${currency} ${toTemplateText(hash['locale']).replace('_', '-') || locale}`).format(Number(value))
  },

  showIf: ([value]) => (value ? '' : 'hidden'),
  hideIf: ([value]) => (value ? 'hidden' : ''),
  selectedIf: ([value]) => (value ? 'selected' : ''),
  checkedIf: ([value]) => (value ? 'checked' : ''),
}
