/** Labels by hue and name; the hue never speaks alone. */
export function LabelChips({ labels }: { labels: readonly { id: string; name: string; hue: number }[] }) {
  return (
    <>
      {labels.map(({ id, name, hue }) => (
        <span key={id} class="label" style={`--hue:${hue}`}>
          <bdi class="cut">{name}</bdi>
        </span>
      ))}
    </>
  )
}
