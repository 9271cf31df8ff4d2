/** TIME-028: a bound of a time range as `YYYY-MM-DD T HH:mm:ss UTC`. @param ms milliseconds since 1970 UTC */
export function formatQueryTime(ms: number): string {
  const [day = '', time = ''] = new Date(ms).toISOString().split('T')
  return `${day} T ${time.slice(0, 8)} UTC`
}
