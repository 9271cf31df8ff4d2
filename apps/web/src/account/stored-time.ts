import { formatDate, formatDateTime } from '../shared/formats.ts'

/** Reads a time of the API, which is UTC without a zone. */
export const parseStoredTime = (text: string): Date => new Date(`${text}Z`)

export const formatStoredDateTime = (text: string): string => formatDateTime(parseStoredTime(text))
export const formatStoredDate = (text: string): string => formatDate(parseStoredTime(text))
