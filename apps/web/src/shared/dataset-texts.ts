import type { Translate } from '@parquetry/ui'

/** PERM-023 */
export const notOwnerText = (t: Translate): string =>
  t(
    'lists.datasets.notOwner',
    'You must be a dataset owner in order to edit. Please reach out to a dataset owner to request modifications or edit access.',
  )

/** PERM-024 */
export const managedDatasetText = (t: Translate): string =>
  t('lists.datasets.managed', "This dataset is managed externally, and can't be edited in Parquetry")
