import type { Migration } from '../columns.ts'
import { foundation } from './0001-foundation.ts'
import { smallResources } from './0002-small-resources.ts'
import { annotations } from './0003-annotations.ts'
import { jobs } from './0004-jobs.ts'
import { editorTabs } from './0005-editor-tabs.ts'
import { connections } from './0006-connections.ts'
import { tabKeys } from './0007-tab-keys.ts'
import { owners } from './0008-owners.ts'
import { authorsOfDatasets } from './0009-authors-of-datasets.ts'
import { foldersOfDatasets } from './0010-folders-of-datasets.ts'
import { trash } from './0011-trash.ts'
import { filterSets } from './0012-filter-sets.ts'
import { valuesAreOffered } from './0013-values-are-offered.ts'
import { filesOfDashboards } from './0014-files-of-dashboards.ts'
import { storageQuotas } from './0015-storage-quotas.ts'
import { tablesOfRules } from './0016-tables-of-rules.ts'
import { servers } from './0017-servers.ts'
import { sizesOfLinks } from './0018-sizes-of-links.ts'
import { checkedRules } from './0019-checked-rules.ts'
import { groupsAndAttributes } from './0020-groups-and-attributes.ts'
import { sharing } from './0021-sharing.ts'
import { accounts } from './0022-accounts.ts'
import { namesOfPermissions } from './0023-names-of-permissions.ts'
import { userRegistrations } from './0024-user-registrations.ts'
import { notifiedChanges } from './0025-notified-changes.ts'
import { tags } from './0026-tags.ts'

/** In order; the position in the list is the number. Forward only: a released migration is never changed. */
export const migrations: readonly { name: string; up: Migration }[] = [
  { name: '0001-foundation', up: foundation },
  { name: '0002-small-resources', up: smallResources },
  { name: '0003-annotations', up: annotations },
  { name: '0004-jobs', up: jobs },
  { name: '0005-editor-tabs', up: editorTabs },
  { name: '0006-connections', up: connections },
  { name: '0007-tab-keys', up: tabKeys },
  { name: '0008-owners', up: owners },
  { name: '0009-authors-of-datasets', up: authorsOfDatasets },
  { name: '0010-folders-of-datasets', up: foldersOfDatasets },
  { name: '0011-trash', up: trash },
  { name: '0012-filter-sets', up: filterSets },
  { name: '0013-values-are-offered', up: valuesAreOffered },
  { name: '0014-files-of-dashboards', up: filesOfDashboards },
  { name: '0015-storage-quotas', up: storageQuotas },
  { name: '0016-tables-of-rules', up: tablesOfRules },
  { name: '0017-servers', up: servers },
  { name: '0018-sizes-of-links', up: sizesOfLinks },
  { name: '0019-checked-rules', up: checkedRules },
  { name: '0020-groups-and-attributes', up: groupsAndAttributes },
  { name: '0021-sharing', up: sharing },
  { name: '0022-accounts', up: accounts },
  { name: '0023-names-of-permissions', up: namesOfPermissions },
  { name: '0024-user-registrations', up: userRegistrations },
  { name: '0025-notified-changes', up: notifiedChanges },
  { name: '0026-tags', up: tags },
]
