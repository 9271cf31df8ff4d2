/** `thumbnail_url` of an object. Its last part changes with the object. */
export const thumbnailUrl = (
  kind: 'chart' | 'dashboard',
  { id, changed_on }: { id: number; changed_on: string },
): string => `/api/v1/${kind}/${id}/thumbnail/${Date.parse(`${changed_on}Z`).toString(36)}/`
