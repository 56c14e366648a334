/** Whether the visitor asked their browser to save data. Browsers that do not say count as saving none. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
