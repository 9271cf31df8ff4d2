import { useEffect, useState } from 'react'
import { openLab, type Lab } from './lab.ts'
import { OpeningTabs } from './OpeningTabs.tsx'
import { Workspace } from './Workspace.tsx'

/** SQL tabs, with the tables beside them and the results below. */
export function SqlLabPage() {
  const [lab, setLab] = useState<Lab | null>(null)
  useEffect(() => {
    let isMounted = true
    void openLab().then((opened) => isMounted && setLab(opened))
    return () => void (isMounted = false)
  }, [])
  return lab ? <Workspace lab={lab} /> : <OpeningTabs />
}
