/** URL of a dashboard, by its slug when it has one. */
export const dashboardUrl = ({ id, slug }: { id: number; slug: string | null }): string =>
  `/superset/dashboard/${slug ? encodeURIComponent(slug) : id}/`
