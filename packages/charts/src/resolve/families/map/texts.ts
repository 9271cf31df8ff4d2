import { nullText, shorten } from '../../../shared/formats/format.ts'
import type { GeoRegion } from '../../../shared/geo/geo-map.ts'
import type { RenderContext } from '../../render-context.ts'
import type { MapRegionItem, RegionMarks } from './marks.ts'

/** Maximum number of names listed in a sentence. */
const maxNames = 5

function joinNames(names: readonly string[], { translate }: RenderContext): string {
  const listed = names
    .slice(0, maxNames)
    .map((name) => shorten(name.replaceAll(/\s+/g, ' ').trim()) || nullText)
    .join(', ')
  const more = names.length - maxNames
  return more > 0
    ? translate('picture.map.more', '{names} and {count, number} more', { names: listed, count: more })
    : listed
}

/** Reports rows of the response that are not in the chart; empty if all are. */
export function buildMapNotes({ mapKey, unknown, duplicates }: RegionMarks, around: RenderContext): string {
  const { translate } = around
  const values = { count: unknown.length, names: joinNames(unknown, around) }
  return [
    ...(unknown.length === 0
      ? []
      : mapKey === 'world'
        ? [
            translate(
              'picture.map.unknown.countries',
              '{count, plural, one {# row does not match a country: {names}.} other {# rows do not match a country: {names}.}}',
              values,
            ),
          ]
        : [
            translate(
              'picture.map.unknown.regions',
              '{count, plural, one {# row does not match a region of this map: {names}.} other {# rows do not match a region of this map: {names}.}}',
              values,
            ),
          ]),
    ...(duplicates.length === 0
      ? []
      : [
          translate(
            'picture.map.again',
            '{count, plural, one {# row is not shown because another row has the same place: {names}.} other {# rows are not shown because other rows have the same places: {names}.}}',
            { count: duplicates.length, names: joinNames(duplicates, around) },
          ),
        ]),
  ].join(' ')
}

export const describeMissingMap = ({ mapKey }: RegionMarks, { translate }: RenderContext): string =>
  mapKey === ''
    ? translate('picture.map.choose', 'Choose a country')
    : translate('picture.map.none', 'No map is available for “{name}”.', { name: mapKey })

/** Name in the user's language if it is known, which is the case for countries. */
export function regionDisplayName({ code, name }: GeoRegion, locale: string): string {
  if (code.length !== 2) return name
  return new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }).of(code) ?? name
}

/** Tooltip title of a place: its name, followed by the value of the row if that differs. */
export function formatRegionTitle({ region, nameInRow }: MapRegionItem, locale: string): string {
  const name = regionDisplayName(region, locale)
  return nameInRow === name ? name : `${name} (${shorten(nameInRow)})`
}
