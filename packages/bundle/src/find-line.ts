import type { Event, ScalarEvent } from 'js-yaml'
import { jsYaml } from './js-yaml.ts'

/**
 * Finds the line of a field in a YAML text, counted from 1.
 * @param keys  keys and item numbers from the root to the field, such as `['columns', '0', 'type']`
 * @returns the line of the deepest part that exists; undefined if the first one is missing or the text is not valid
 */
export function findLine(text: string, keys: readonly string[]): number | undefined {
  const { EVENT_ID, getScalarValue, parseEvents } = jsYaml()
  const events = (() => {
    try {
      return parseEvents(text, {})
    } catch {
      return []
    }
  })()
  /** Index after the node that starts at `index`. */
  const skip = (index: number): number => {
    let depth = 0
    for (let at = index; at < events.length; at += 1) {
      const { type } = events[at]!
      if (type === EVENT_ID.POP) depth -= 1
      else if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth += 1
      if (depth <= 0) return at + 1
    }
    return events.length
  }
  const isEnd = (index: number): boolean => !events[index] || events[index].type === EVENT_ID.POP
  const findInMapping = (start: number, key: string): Found | undefined => {
    for (let at = start; !isEnd(at); at = skip(skip(at))) {
      const event = events[at]!
      if (event.type === EVENT_ID.SCALAR && getScalarValue(text, event as ScalarEvent) === key)
        return { position: startOf(event), index: skip(at) }
    }
    return undefined
  }
  const findInSequence = (start: number, key: string): Found | undefined => {
    let left = Number(key)
    for (let at = start; !isEnd(at); at = skip(at))
      if (left-- === 0) return { position: startOf(events[at]!), index: at }
    return undefined
  }
  let index = events[0]?.type === EVENT_ID.DOCUMENT ? 1 : 0
  let position: number | undefined
  for (const key of keys) {
    const type = events[index]?.type
    const found =
      type === EVENT_ID.MAPPING
        ? findInMapping(index + 1, key)
        : type === EVENT_ID.SEQUENCE
          ? findInSequence(index + 1, key)
          : undefined
    if (!found) break
    position = found.position ?? position
    index = found.index
  }
  return position === undefined ? undefined : countLines(text, position)
}

interface Found {
  /** Where its line is; undefined for values that begin nowhere, such as an empty item. */
  position: number | undefined
  /** Index of the event of the value. */
  index: number
}

function startOf(event: Event): number | undefined {
  if ('valueStart' in event) return event.valueStart
  if ('start' in event) return event.start
  return 'anchorStart' in event ? event.anchorStart : undefined
}

function countLines(text: string, end: number): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
