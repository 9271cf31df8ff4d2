const day = 86_400_000

/**
 * Bounds of the axis: a time of day on the day of the first start, and one on the day of the last end.
 * @param times `HH:mm` or `HH:mm:ss`, UTC; null if unset
 * @returns null for an unset bound, and for both if the range would be empty
 */
export function resolveTimeBounds(
  times: readonly (string | null)[],
  bars: readonly { from: number; to: number }[],
): [number | null, number | null] {
  if (bars.length === 0) return [null, null]
  const first = bars.reduce((least, { from }) => Math.min(least, from), Infinity)
  const last = bars.reduce((most, { to }) => Math.max(most, to), -Infinity)
  const on = (time: number, clock: string | null | undefined) => {
    const ms = parseTimeOfDay(clock ?? '')
    return ms === null ? null : Math.floor(time / day) * day + ms
  }
  const [min, max] = [on(first, times[0]), on(last, times[1])]
  return (min ?? first) < (max ?? last) ? [min, max] : [null, null]
}

/** Milliseconds since midnight; null for an invalid time. */
function parseTimeOfDay(text: string): number | null {
  const [, hours, minutes, seconds = '0'] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?/.exec(text) ?? []
  if (hours === undefined) return null
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)]
  return h < 24 && m < 60 && s < 60 ? ((h * 60 + m) * 60 + s) * 1000 : null
}
