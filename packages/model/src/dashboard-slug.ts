/**
 * Normalizes the slug of a dashboard to what its address contains: blanks become `-`, other characters than letters, digits, `-`
 * and `_` are dropped; null for none.
 */
export const toDashboardSlug = (slug: string | null | undefined): string | null =>
  slug
    ?.trim()
    .replaceAll(/\s+/g, '-')
    .replaceAll(/[^\p{L}\p{N}_-]/gu, '') || null

/** True for a slug that an address would take for an id. */
export const isIdLikeSlug = (slug: string): boolean => /^\d+$/.test(slug)
