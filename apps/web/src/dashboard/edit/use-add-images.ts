import { imageLimits } from '@parquetry/model'
import { formatMarkdownImage, toastError, useTranslate, type Translate } from '@parquetry/ui'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../shared/errors.ts'
import { addImage } from '../data/calls.ts'
import { ensureStored } from '../data/ensure-stored.ts'
import { useDashboard } from '../state/context.ts'

/** Default alt text of an image: its file name without the extension. */
const buildAltText = (image: File | string): string => {
  const name = typeof image === 'string' ? (URL.parse(image)?.pathname.split('/').at(-1) ?? '') : image.name
  return name.replace(/\.[a-z\d]{1,5}$/i, '')
}

/** Error message for a file, as far as the browser can tell; the server checks its bytes. */
function findImageProblem(t: Translate, { name, size, type }: File): string | undefined {
  if (type !== '' && !type.startsWith('image/')) return t('dashboard.image.none', '{name} is not an image.', { name })
  if (size > imageLimits.bytes) return t('dashboard.image.tooLarge', '{name} is larger than 5 MB.', { name })
  return undefined
}

export interface ImageUploads {
  /** Images being added, by file name or URL. */
  adding: readonly string[]
  /** Adds files that were chosen, pasted or dropped, and reports failures. */
  addFiles(files: readonly File[]): void
  /** @throws ApiError */
  addUrl(address: string): Promise<void>
}

/**
 * Stores images with the dashboard and passes on their Markdown.
 * @param onImage  receives the Markdown, in the order in which the images arrive
 */
export function useAddImages(onImage: (markdown: string) => void): ImageUploads {
  const t = useTranslate()
  const { store } = useDashboard()
  const [adding, setAdding] = useState<readonly string[]>([])
  const latest = useRef(onImage)
  const left = useRef(new AbortController())
  useEffect(() => {
    latest.current = onImage
  })
  useEffect(() => {
    const abort = new AbortController()
    left.current = abort
    return () => abort.abort()
  }, [])

  const add = async (image: File | string): Promise<void> => {
    const { signal } = left.current
    const name = typeof image === 'string' ? image : image.name
    setAdding((names) => [...names, name])
    try {
      const { url } = await addImage(await ensureStored(store), image, signal)
      signal.throwIfAborted()
      latest.current(formatMarkdownImage(buildAltText(image), url))
    } finally {
      setAdding((names) => names.toSpliced(names.indexOf(name), 1))
    }
  }

  return {
    adding,
    addFiles: (files) => {
      for (const file of files) {
        const problem = findImageProblem(t, file)
        if (problem !== undefined) toastError(problem)
        else
          add(file).catch((error: unknown) => {
            if (left.current.signal.aborted) return
            toastError(
              t('dashboard.image.failed', 'Could not add {name}: {message}', {
                name: file.name,
                message: messageOf(error),
              }),
            )
          })
      }
    },
    addUrl: add,
  }
}

/** True if a drag contains an image file. */
export const isDraggingImages = ({ items }: DataTransfer): boolean =>
  [...items].some(({ kind, type }) => kind === 'file' && type.startsWith('image/'))

/** Image files of a paste or drop. None if there is text, because spreadsheets also copy themselves as an image. */
export const extractImages = ({ files, types }: DataTransfer): File[] =>
  types.includes('text/plain') ? [] : [...files].filter(({ type }) => type.startsWith('image/'))
