import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ObjectTags } from '../tags/ObjectTags.tsx'

/** Tags of a dataset, which are not part of its versions. */
export function DatasetTags({ id }: { id: number }) {
  const { data } = useQuery({
    queryKey: ['dataset', 'tags', id],
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/dataset/:id', { params: { id: String(id) }, q: { columns: ['tags'] }, signal })).result,
  })
  return data && <ObjectTags type="dataset" id={id} tags={data.tags} />
}
