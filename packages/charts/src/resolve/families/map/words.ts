import { nullText, shorten } from '../../../shared/formats/format.ts'
import type { GeoRegion } from '../../../shared/geo/geo-map.ts'
import type { Surroundings } from '../../surroundings.ts'
import type { Place, Places } from './marks.ts'

/** Names that a sentence lists. */
const most = 5

function listed(names: readonly string[], { say }: Surroundings): string {
  const said = names
    .slice(0, most)
    .map((name) => shorten(name.replaceAll(/\s+/g, ' ').trim()) || nullText)
    .join(', ')
  const more = names.length - most
  return more > 0 ? say('picture.map.more', '{names} and {count, number} more', { names: said, count: more }) : said
}

/** What of the answer is not in the picture; empty where all is. */
export function notesOf({ of, unknown, again }: Places, around: Surroundings): string {
  const { say } = around
  const said = { count: unknown.length, names: listed(unknown, around) }
  return [
    ...(unknown.length === 0
      ? []
      : of === 'world'
        ? [
            say(
              'picture.map.unknown.countries',
              '{count, plural, one {# row does not match a country: {names}.} other {# rows do not match a country: {names}.}}',
              said,
            ),
          ]
        : [
            say(
              'picture.map.unknown.regions',
              '{count, plural, one {# row does not match a region of this map: {names}.} other {# rows do not match a region of this map: {names}.}}',
              said,
            ),
          ]),
    ...(again.length === 0
      ? []
      : [
          say(
            'picture.map.again',
            '{count, plural, one {# row is not shown because another row has the same place: {names}.} other {# rows are not shown because other rows have the same places: {names}.}}',
            { count: again.length, names: listed(again, around) },
          ),
        ]),
  ].join(' ')
}

export const noMapSaid = ({ of }: Places, { say }: Surroundings): string =>
  of === ''
    ? say('picture.map.choose', 'Choose a country')
    : say('picture.map.none', 'No map is available for “{name}”.', { name: of })

/** In the language of the reader where that is known of it: of countries. */
export function nameOf({ code, name }: GeoRegion, locale: string): string {
  if (code.length !== 2) return name
  return new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }).of(code) ?? name
}

/** A place as its tooltip calls it: what the row has for it stands behind its name. */
export function titleOf({ region, said }: Place, locale: string): string {
  const name = nameOf(region, locale)
  return said === name ? name : `${name} (${shorten(said)})`
}
