import type { KindControlProps } from '../kind.ts'
import { NamesControl } from '../NamesControl.tsx'
import kind from './kind.ts'

export default function TimeGrainControl(props: KindControlProps) {
  return <NamesControl {...props} kind={kind} ask="timegrains" />
}
