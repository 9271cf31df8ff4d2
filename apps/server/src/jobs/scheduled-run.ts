/** The job of one run of a saved query by its schedule: saved queries say when, SQL Lab does it. */
export const scheduledRun = {
  kind: 'saved_query.run',
  payload: (id: number) => ({ id }),
  read: (payload: unknown) => payload as { id: number },
}
