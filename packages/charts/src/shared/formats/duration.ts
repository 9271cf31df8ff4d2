const units: [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
]

/** Formats milliseconds as `1h 6m 1.5s`, below a second as `250ms`. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`
  if (ms < 1000) return `${trim(ms, 2)}ms`
  return split(ms, (seconds) => `${trim(seconds, 1)}s`)
}

/** Formats milliseconds down to the nanosecond with each unit separately: `1ms 400µs 80ns`. */
export function formatPreciseDuration(ms: number): string {
  if (ms < 0) return `-${formatPreciseDuration(-ms)}`
  const whole = Math.floor(ms)
  const micro = Math.floor((ms - whole) * 1000 + 1e-6)
  const nano = Math.round(((ms - whole) * 1000 - micro) * 1000)
  const small = [whole % 1000 > 0 && `${whole % 1000}ms`, micro > 0 && `${micro}µs`, nano > 0 && `${nano}ns`].filter(
    (part) => part !== false,
  )
  const large = whole >= 1000 ? [split(whole - (whole % 1000), (seconds) => (seconds ? `${seconds}s` : ''))] : []
  return [...large, ...small].filter(Boolean).join(' ') || '0ms'
}

function split(ms: number, lastUnit: (seconds: number) => string): string {
  let rest = ms
  const parts: string[] = []
  for (const [name, size] of units) {
    if (name === 's') parts.push(lastUnit(rest / size))
    else if (rest >= size) {
      parts.push(`${Math.floor(rest / size)}${name}`)
      rest %= size
    }
  }
  return parts.filter((part) => part && part !== '0s').join(' ')
}

const trim = (value: number, digits: number) => String(Number(value.toFixed(digits)))
