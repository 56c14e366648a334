import { startIslands } from './runtime';

startIslands();
