/** Whose time the page tells, "UK time"; for a member it names the zone that they chose. */
export function ZoneName({ name }: { name: string }) {
  return (
    <data value={name} data-zone-name>
      {name}
    </data>
  );
}
