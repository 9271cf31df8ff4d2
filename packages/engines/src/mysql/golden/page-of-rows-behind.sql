SELECT `symbol` AS `symbol`,
       `date` AS `date`,
       `price` AS `price`
FROM `stocks`
ORDER BY `date` IS NULL DESC, `date` DESC,
         `symbol` IS NULL ASC, `symbol` ASC,
         `price` IS NULL ASC, `price` ASC
LIMIT 3 OFFSET 4;
-- []
