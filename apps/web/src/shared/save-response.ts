/** Saves an answer's bytes as a file of the browser, under the name that the server gave it or the one here. */
export async function saveResponse(response: Response, fallback: string): Promise<void> {
  const named = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = named ?? fallback
  link.click()
  URL.revokeObjectURL(address)
}
