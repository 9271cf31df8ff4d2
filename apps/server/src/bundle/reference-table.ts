import type { BundleIndex, BundledObject } from './source-ids.ts'
import type { ImportReferences, ScopeDataset } from './import-scope.ts'

/** The objects that an import has created or found so far. */
export class ReferenceTable implements ImportReferences {
  readonly themes = new Map<string, number>()
  readonly databases = new Map<string, number>()
  readonly datasets = new Map<string, ScopeDataset>()
  readonly charts = new Map<string, number>()
  readonly #layers = new Map<string, number>()
  readonly #index: Pick<BundleIndex, 'charts' | 'layers' | 'needed'>

  constructor(index: Pick<BundleIndex, 'charts' | 'layers' | 'needed'>) {
    this.#index = index
    for (const object of index.needed ?? []) this.add(object, object.id, object.datasetName)
  }

  chartOf(sourceId: number): number | undefined {
    return this.charts.get(this.#index.charts.get(sourceId) ?? '')
  }

  layerOf(sourceId: number): number | undefined {
    return this.#layers.get(this.#index.layers.get(sourceId) ?? '')
  }

  /** @param datasetName  `schema.table` of a dataset */
  add({ kind, uuid }: Pick<BundledObject, 'kind' | 'uuid'>, id: number, datasetName = ''): void {
    if (kind === 'theme') this.themes.set(uuid, id)
    else if (kind === 'annotation_layer') this.#layers.set(uuid, id)
    else if (kind === 'database') this.databases.set(uuid, id)
    else if (kind === 'dataset') this.datasets.set(uuid, { id, name: datasetName })
    else if (kind === 'chart') this.charts.set(uuid, id)
  }
}

/** ImportReferences of a stored object, which already has ids of this store. */
export const ownReferences = (references: ImportReferences): ImportReferences => ({
  themes: references.themes,
  databases: references.databases,
  datasets: references.datasets,
  charts: references.charts,
  chartOf: (id) => id,
  layerOf: (id) => id,
})
