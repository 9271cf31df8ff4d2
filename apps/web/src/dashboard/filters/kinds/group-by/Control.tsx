import { isMultiple } from '../../mask.ts'
import type { KindControlProps } from '../kind.ts'
import { NamesControl } from '../NamesControl.tsx'
import kind from './kind.ts'

export default function GroupByControl(props: KindControlProps) {
  return <NamesControl {...props} kind={kind} ask="columns" several={isMultiple(props.filter)} />
}
