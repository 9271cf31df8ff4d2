import { layoutNode, type LayoutNodes } from '@parquetry/model'
import { listExternalImages, replaceImageUrls } from '@parquetry/ui'
import { ApiError } from '@parquetry/client'
import { messageOf } from '../../shared/errors.ts'
import { setMeta } from '../layout/commands.ts'

const codeOf = (nodes: LayoutNodes, id: string): string => layoutNode(nodes, id)?.meta.code ?? ''

/** Text nodes changed since the last save; foreign images in other texts stay as they are. */
const changedTexts = (nodes: LayoutNodes, saved: LayoutNodes): string[] =>
  Object.values(nodes).flatMap((node) =>
    node?.type === 'MARKDOWN' && codeOf(nodes, node.id) !== codeOf(saved, node.id) ? [node.id] : [],
  )

export interface ImageImportResult {
  /** Returns the same nodes if there is nothing to replace. */
  change(nodes: LayoutNodes): LayoutNodes
  /** URLs that remain links, with the reason. */
  failed: { address: string; message: string }[]
}

/**
 * Copies foreign images in texts changed since the last save to the dashboard.
 * @param hosts  hosts whose images are shown as they are
 * @param add    stores the image at a URL and returns its new URL
 * @throws ApiError if the server does not respond
 */
export async function importImages(
  nodes: LayoutNodes,
  saved: LayoutNodes,
  hosts: readonly string[],
  add: (address: string) => Promise<string>,
): Promise<ImageImportResult> {
  const ids = changedTexts(nodes, saved)
  const addresses = [...new Set(ids.flatMap((id) => listExternalImages(codeOf(nodes, id), hosts)))]
  const storedUrls = new Map<string, string>()
  const failed: ImageImportResult['failed'] = []
  await Promise.all(
    addresses.map(async (address) => {
      try {
        storedUrls.set(address, await add(address.replaceAll('&amp;', '&')))
      } catch (error) {
        if (!(error instanceof ApiError) || error.status === 0) throw error
        failed.push({ address, message: messageOf(error) })
      }
    }),
  )
  const change = (now: LayoutNodes): LayoutNodes =>
    storedUrls.size === 0
      ? now
      : ids.reduce(
          (changed, id) => setMeta(changed, id, { code: replaceImageUrls(codeOf(changed, id), storedUrls) }),
          now,
        )
  return { change, failed }
}
