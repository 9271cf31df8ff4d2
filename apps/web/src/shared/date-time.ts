import { lazily } from './lazily.ts'

const clock = lazily(
  () =>
    new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: 'medium',
      calendar: 'gregory',
      numberingSystem: 'latn',
    }),
)

/** `2026-11-21 14:05:00`, in the zone of the browser. */
export const dateTime = (at: number | Date): string => clock().format(at)
