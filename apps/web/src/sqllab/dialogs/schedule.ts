/** How often a query runs. */
export type Frequency = 'hour' | 'day' | 'weekday' | 'week' | 'month'

export interface Schedule {
  start: string
  end: string
  often: Frequency
  /** `HH:MM` in the viewer's time zone. */
  time: string
  /** 0 for Sunday to 6. */
  weekday: number
  /** 1 to 28. */
  day: number
}

/** Converts the schedule to a cron expression, minute to weekday. */
export function toCron({ often, time, weekday, day }: Pick<Schedule, 'often' | 'time' | 'weekday' | 'day'>): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  switch (often) {
    case 'hour':
      return `${minute} * * * *`
    case 'day':
      return `${minute} ${hour} * * *`
    case 'weekday':
      return `${minute} ${hour} * * 1-5`
    case 'week':
      return `${minute} ${hour} * * ${weekday}`
    case 'month':
      return `${minute} ${hour} ${day} * *`
  }
}
