const fileExtension = (name: string): string => /\.[a-z\d]+$/i.exec(name)?.[0] ?? ''

/** Combines the title that describes the content with the served extension, since the server may have compressed the file. */
export function buildFileName(wanted: string, served: string | undefined): string {
  const title = wanted.slice(0, wanted.length - fileExtension(wanted).length).trim()
  if (served === undefined) return wanted
  return title === '' ? served : `${title}${fileExtension(served) || fileExtension(wanted)}`
}

/** File name in the headers of a response, in either notation. */
export function readServedName({ headers }: Response): string | undefined {
  const header = headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1]
  return encoded === undefined ? /filename="?([^";]+)"?/.exec(header)?.[1] : decodeURIComponent(encoded)
}

/** Saves the body of a response as a file. @param name describes the content, with the requested extension */
export async function saveResponse(response: Response, name: string): Promise<void> {
  saveBlob(await response.blob(), buildFileName(name, readServedName(response)))
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
