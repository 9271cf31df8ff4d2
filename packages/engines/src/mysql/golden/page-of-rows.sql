SELECT `symbol` AS `symbol`,
       `date` AS `date`
FROM `stocks`
ORDER BY `symbol` IS NULL ASC, `symbol` ASC,
         `date` IS NULL ASC, `date` ASC,
         `price` IS NULL ASC, `price` ASC
LIMIT 3 OFFSET 4;
-- []
