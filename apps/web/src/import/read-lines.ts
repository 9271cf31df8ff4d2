/** Yields the lines of a response as they arrive, without empty ones. A response that ends early ends without an error. */
export async function* readLines(response: Response): AsyncGenerator<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const part = await reader?.read().catch((error: unknown) => {
        // A TypeError of `fetch` here means that the connection ended.
        if (!(error instanceof TypeError)) throw error
      })
      rest += decoder.decode(part?.value, { stream: part?.done === false })
      const lines = rest.split('\n')
      rest = part?.done === false ? (lines.pop() ?? '') : ''
      for (const line of lines) if (line.trim() !== '') yield line
      if (part?.done !== false) return
    }
  } finally {
    await reader?.cancel().catch(() => undefined)
  }
}
