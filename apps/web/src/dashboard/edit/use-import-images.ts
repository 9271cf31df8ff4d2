import { toastError, useTranslate } from '@parquetry/ui'
import { addImage } from '../data/calls.ts'
import { ensureStored } from '../data/ensure-stored.ts'
import { imageHosts } from '../grid/image-hosts.ts'
import { useDashboard } from '../state/context.ts'
import { importImages, type ImageImportResult } from './import-images.ts'

/** Copies foreign images added since the last save to the dashboard, before it is saved or copied. */
export function useImportImages() {
  const t = useTranslate()
  const { store } = useDashboard()
  return async (): Promise<{ sayWhatFailed(): void }> => {
    const { saved, history, actions } = store.getState()
    const add = async (address: string) => (await addImage(await ensureStored(store), address)).url
    let failed: ImageImportResult['failed'] = []
    try {
      const imported = await importImages(history.present, saved.layout.nodes, imageHosts, add)
      actions.edit(imported.change)
      failed = imported.failed
    } catch {
      // Without a connection the save is retried later and copies them then.
    }
    return {
      sayWhatFailed() {
        if (failed.length === 0) return
        toastError(
          t(
            'dashboard.image.stayLinks',
            '{count, plural, one {Could not download # image, so it remains a link} other {Could not download # images, so they remain links}}. {reasons}',
            {
              count: failed.length,
              reasons: failed.map(({ address, message }) => `${address}: ${message}`).join(' '),
            },
          ),
        )
      },
    }
  }
}
