const fileExtension = (name: string): string => /\.[a-z\d]+$/i.exec(name)?.[0] ?? ''

/** What a file is called: as the reader knows what is in it, with the ending of what came, for the server may have packed it. */
export function buildFileName(wanted: string, served: string | undefined): string {
  const title = wanted.slice(0, wanted.length - fileExtension(wanted).length).trim()
  if (served === undefined) return wanted
  return title === '' ? served : `${title}${fileExtension(served) || fileExtension(wanted)}`
}

/** Saves an answer's bytes as a file of the browser. @param name what is in it, with the ending that was asked for */
export async function saveResponse(response: Response, name: string): Promise<void> {
  const served = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = buildFileName(name, served)
  link.click()
  URL.revokeObjectURL(address)
}
