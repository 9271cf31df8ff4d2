import { layoutNode, type LayoutNodes } from '@parquetry/model'
import { listExternalImages, replaceImageUrls } from '@parquetry/ui'
import { ApiError } from '@parquetry/client'
import { messageOf } from '../../shared/errors.ts'
import { setMeta } from '../layout/commands.ts'

const codeOf = (nodes: LayoutNodes, id: string): string => layoutNode(nodes, id)?.meta.code ?? ''

/** Texts that were written since the dashboard was saved: in others foreign images are as they came. */
const changedTexts = (nodes: LayoutNodes, saved: LayoutNodes): string[] =>
  Object.values(nodes).flatMap((node) =>
    node?.type === 'MARKDOWN' && codeOf(nodes, node.id) !== codeOf(saved, node.id) ? [node.id] : [],
  )

export interface ImageImportResult {
  /** The same nodes where there was nothing to keep. */
  change(nodes: LayoutNodes): LayoutNodes
  /** Addresses that stay links, and why. */
  failed: { address: string; message: string }[]
}

/**
 * Foreign images in texts that were written since the last save become the dashboard's own.
 * @param hosts  whose images are shown as they are
 * @param add    keeps what an address leads to and gives the new address
 * @throws ApiError of a server that does not answer
 */
export async function importImages(
  nodes: LayoutNodes,
  saved: LayoutNodes,
  hosts: readonly string[],
  add: (address: string) => Promise<string>,
): Promise<ImageImportResult> {
  const ids = changedTexts(nodes, saved)
  const addresses = [...new Set(ids.flatMap((id) => listExternalImages(codeOf(nodes, id), hosts)))]
  const kept = new Map<string, string>()
  const failed: ImageImportResult['failed'] = []
  await Promise.all(
    addresses.map(async (address) => {
      try {
        kept.set(address, await add(address.replaceAll('&amp;', '&')))
      } catch (error) {
        if (!(error instanceof ApiError) || error.status === 0) throw error
        failed.push({ address, message: messageOf(error) })
      }
    }),
  )
  const change = (now: LayoutNodes): LayoutNodes =>
    kept.size === 0
      ? now
      : ids.reduce((changed, id) => setMeta(changed, id, { code: replaceImageUrls(codeOf(changed, id), kept) }), now)
  return { change, failed }
}
