export function SelectionList({ filters }: { filters: string[] }) {
  return (
    <ul>
      {filters.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
