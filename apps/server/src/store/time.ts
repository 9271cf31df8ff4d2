/** A time as the store keeps it: ISO text in UTC without a zone, sortable. */
export const timeText = (time: Date): string => time.toISOString().slice(0, -1)

export const timeOf = (text: string): Date => new Date(`${text}Z`)
