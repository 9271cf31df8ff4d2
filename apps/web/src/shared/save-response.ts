const fileExtension = (name: string): string => /\.[a-z\d]+$/i.exec(name)?.[0] ?? ''

/** Combines the title that describes the content with the served extension, since the server may have compressed the file. */
export function buildFileName(wanted: string, served: string | undefined): string {
  const title = wanted.slice(0, wanted.length - fileExtension(wanted).length).trim()
  if (served === undefined) return wanted
  return title === '' ? served : `${title}${fileExtension(served) || fileExtension(wanted)}`
}

/** Saves the body of a response as a file. @param name describes the content, with the requested extension */
export async function saveResponse(response: Response, name: string): Promise<void> {
  const served = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  saveBlob(await response.blob(), buildFileName(name, served))
}

/** Saves data as a file with this name. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
