import { boot } from '../boot.ts'
import { can } from '../rights.ts'

/** Tags require the feature flag. */
export const hasTags = boot.common.feature_flags['TAGGING_SYSTEM'] === true

export const canSeeTags = hasTags && can('can_read', 'Tag')

/** The user may create tags and add them to their own objects. */
export const canEditTags = canSeeTags && can('can_write', 'Tag')

/** Page of a tag. */
export const tagHref = (id: number): string => `/superset/all_entities/?id=${id}`
