/** The job for one scheduled run of a saved query: saved queries define the schedule, SQL Lab runs them. */
export const scheduledRun = {
  kind: 'saved_query.run',
  payload: (id: number) => ({ id }),
  read: (payload: unknown) => payload as { id: number },
}
